import type { AnyEndpoint, CallInput, Operation } from '../shared/endpoint.ts'
import { CallRefused } from '../shared/refusal.ts'
import { jsonOf, refusal, request } from './call-endpoint.ts'
import { isPage } from './is-page.ts'

/** The file that an endpoint with `fileType` answers. Throws `CallRefused`, also for a page in its place. */
export async function fileByFetch<E extends AnyEndpoint>(operation: Operation<E>, input?: CallInput<E>) {
  const response = await request(operation, input)
  if (!response.ok || isPage(response)) throw new CallRefused(refusal(response, await jsonOf(response)))
  const name = /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return { file: await response.blob(), name: name ?? 'download' }
}
