/** Address -> screen of this room. */
export const screens = {
  myschedule: 'MyScheduleScreen.tsx',
  'shared/:token': 'SharedScheduleScreen.tsx',
}
