/** Address -> screen of this room. */
export const screens = { 'admin/places': 'AdminPlacesScreen.tsx' }
