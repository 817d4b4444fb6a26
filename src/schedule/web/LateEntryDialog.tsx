import 'texts:forms,schedule'

/** The dialog with its texts, for pages that fetch it when it is opened. */
export { default } from './EntryDialog.tsx'
