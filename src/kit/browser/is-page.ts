/** Whether an API call was answered by an HTML page: proxies and login pages of a Wi-Fi answer 200 to everything. */
export const isPage = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('text/html') ?? false
