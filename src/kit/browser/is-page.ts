/** Whether a response is an HTML page instead of an API answer: of a proxy, or the login page of a Wi-Fi. Both answer 200 to everything. */
export const isPage = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('text/html') ?? false
