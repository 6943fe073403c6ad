"""All rules, by name."""

from tests.fuzz.calls import CALLS
from tests.fuzz.files import FILES
from tests.fuzz.formulas import FORMULAS
from tests.fuzz.specs import SPECS

RULES = {rule.name: rule for rule in (FORMULAS, SPECS, FILES, CALLS)}
