/** Who sees what of a business; the server enforces it. */

/** Whether the merchant who is logged in owns the business. Its owner sees its private fields and may change it. */
export const isOwnBusiness = (who: { businessId: string | null } | null, businessId: string): boolean =>
  who?.businessId?.toLowerCase() === businessId.toLowerCase()

/** Everybody sees the page of a public business. While it is suspended or about to be deleted, only its owner does. */
export const maySeePage = (
  business: { business_id: string; is_shown: boolean },
  who: { businessId: string | null } | null,
): boolean => business.is_shown || isOwnBusiness(who, business.business_id)
