declare module 'autocannon' {
  interface Request {
    path: string
    headers?: Record<string, string>
  }
  interface Result {
    requests: { total: number; average: number }
    latency: { p50: number; p99: number }
    errors: number
    non2xx: number
    statusCodeStats: Record<string, { count: number }>
  }
  export default function autocannon(options: {
    url: string
    connections: number
    duration: number
    headers?: Record<string, string>
    requests: {
      path: string
      method?: string
      body?: string
      setupRequest?: (request: Request) => Request
    }[]
  }): Promise<Result>
}
