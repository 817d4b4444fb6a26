/** Address -> screen of this room. */
export const screens = {
  favorites: 'FavoritesScreen.tsx',
}
