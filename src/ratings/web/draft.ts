/** The name of the draft of a deal's rating. */
export const draftOfRating = (dealId: string) => `rating ${dealId}`
