import type { AnyEndpoint, CallInput, Operation } from '../shared/endpoint.ts'
import { CallRefused } from '../shared/refusal.ts'
import { jsonOf, refusal, request } from './call-endpoint.ts'
import { isPage } from './is-page.ts'

/** Downloads the file of an endpoint with `fileType`. @throws `CallRefused`, also for an HTML page instead of the file */
export async function fileByFetch<E extends AnyEndpoint>(operation: Operation<E>, input?: CallInput<E>) {
  const response = await request(operation, input)
  if (!response.ok || isPage(response)) throw new CallRefused(refusal(response, await jsonOf(response)))
  const name = /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return { file: await response.blob(), name: name ?? 'download' }
}
