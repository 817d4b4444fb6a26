/** The title before the text of a notice; French has a space before its colon. */
export const noticeLead = (title: string, locale: string) => `${title}${locale === 'fr' ? '\u00a0' : ''}: `
