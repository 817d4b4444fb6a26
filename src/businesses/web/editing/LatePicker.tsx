import 'texts:map'

/** The map to choose a place, loaded when somebody sets a pin. */
export { LocationPicker as default } from '../../../map/web/LocationPicker.tsx'
