/** Address -> screen of this room. */
export const screens = {
  events: 'EventsScreen.tsx',
  'admin/events': 'AdminProgrammeScreen.tsx',
  'admin/events/:event_id': 'EditEventScreen.tsx',
  'event/:event_id': 'EventScreen.tsx',
}
