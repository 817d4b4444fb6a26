import 'texts:map'

/** The map for choosing a place, fetched when somebody sets a pin. */
export { LocationPicker as default } from '../../../map/web/LocationPicker.tsx'
