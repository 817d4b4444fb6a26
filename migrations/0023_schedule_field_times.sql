-- When each field of a schedule entry was last set by somebody, so that of two devices that send late the later tap wins. Null: nobody
-- has set it since this migration, or it has the value of a new entry; every change wins over that.
alter table schedule_entries
  add column priority_at timestamptz,
  add column note_at timestamptz,
  add column reminders_at timestamptz;
