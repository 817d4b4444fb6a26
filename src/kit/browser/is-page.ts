/** A page in the place of an answer: of a proxy, or the first page of a Wi-Fi. Both answer 200 to everything and do nothing of it. */
export const isPage = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('text/html') ?? false
