/** Address -> screen of this room. */
export const screens = {
  events: 'EventsScreen.tsx',
  'admin/events': 'AdminEventsScreen.tsx',
  'admin/events/:event_id': 'AdminEventScreen.tsx',
  'event/:event_id': 'EventScreen.tsx',
}
