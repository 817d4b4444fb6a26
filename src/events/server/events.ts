export * from './change-feed.ts'
export * from './editing.ts'
export { importEvents } from './importing.ts'
export { createStage, editVenue, listStaffStages } from './stages.ts'
export * from './feeds.ts'
export { deleteUnusedPictures, uploadEventPicture } from './pictures.ts'
export * from './programme.ts'
export * from './venues.ts'
export {
  removeDeletedEvents,
  publishEventChanges,
  eventChangesJob,
  undoEdits,
  type EditServices,
  type CountSavers,
} from './edits.ts'
