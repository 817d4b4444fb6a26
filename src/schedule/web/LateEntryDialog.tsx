import 'texts:forms,schedule'

/** The dialog with its texts, loaded when it is opened. */
export { default } from './EntryDialog.tsx'
