/** What is typed for a deal's rating is kept under this name. */
export const draftOfRating = (dealId: string) => `rating ${dealId}`
