/** A password that is on no list. */
export const goodPassword = 'a long walk by the Rhine'
