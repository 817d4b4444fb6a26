/** Shows a short message of success or failure, with an action such as undo. */
export type ShowNote = (text: string, action?: { label: string; onClick: () => void }) => void
