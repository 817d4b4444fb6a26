/** Who sees what of a business; the server enforces it. */

/** The merchant who is logged in owns the business: sees its private fields, and may change it. */
export const isOwnBusiness = (who: { businessId: string | null } | null, businessId: string): boolean =>
  who?.businessId?.toLowerCase() === businessId.toLowerCase()

/** Everybody sees the page of a public business. A suspended or leaving one is shown to its owner alone. */
export const maySeePage = (
  business: { business_id: string; is_shown: boolean },
  who: { businessId: string | null } | null,
): boolean => business.is_shown || isOwnBusiness(who, business.business_id)
