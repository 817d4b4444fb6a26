/** A password that is on no list of common ones. */
export const goodPassword = 'a long walk by the Rhine'
