/**
 * A page where an API answers: of a proxy, or of a Wi-Fi that wants a login first. It answers 200 to everything, and has done
 * nothing of what was asked.
 */
export const isPage = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('text/html') ?? false
