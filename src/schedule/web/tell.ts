/** Shows a short success or failure, with a way back where there is one. */
export type Tell = (text: string, action?: { label: string; onClick: () => void }) => void
