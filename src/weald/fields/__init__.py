"""Fields: functions of place, with algebra and proved ranges."""
