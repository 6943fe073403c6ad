import ast

from tests.mutation.changes import changed, changes

SOURCE = '''"""Words."""
def f(x, é="é"):
    """More words."""
    if x < 3 and not é:
        return max(x, -1)
    x = x + 1.5
    return x
'''


def test_each_change_is_one_other_program():
    made = [changed(SOURCE, change) for change in changes(SOURCE)]
    assert len(set(made)) == len(made)
    assert all(ast.dump(ast.parse(text)) != ast.dump(ast.parse(SOURCE)) for text in made)
    for part in ("x <= 3", "x < 3 or", "and é", "min(x", "max(x, 1)", "max(x, -2)", "x - 1.5", "2.5", "    pass\n"):
        assert any(part in text for text in made), part
