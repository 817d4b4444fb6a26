/** Address -> screen of this room. */
export const screens = {
  events: 'EventsScreen.tsx',
  'event/:event_id': 'EventScreen.tsx',
}
