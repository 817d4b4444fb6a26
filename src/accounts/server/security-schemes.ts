import type { Access } from '../../kit/shared/endpoint.ts'

/** Security of an endpoint in the OpenAPI document; `{}`: a token is optional. */
export function securityOf(access: Access): Record<string, string[]>[] {
  if (access === 'public') return []
  const bearer: Record<string, string[]> = isForStaff(access) ? { staff: [] } : { bearer: [] }
  return access === 'noticed' ? [{}, bearer] : [bearer]
}

/** Only roles that nobody gets by signing up. */
const isForStaff = (access: Access) =>
  typeof access === 'object' && !access.roles.some((role) => ['user', 'business'].includes(role))

/** Security schemes of the OpenAPI document. */
export const securitySchemes = {
  staff: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      '`authToken` of somebody of the staff, who has a second factor. Signed and checked as RFC8725 advises.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      '`authToken` of a login; it lives 15 minutes, and no longer than its session. Signed and checked as RFC8725 advises: one algorithm, one type, issuer and audience.',
  },
} as const
