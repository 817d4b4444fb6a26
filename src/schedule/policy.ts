/** Who has a schedule, and what others see of it. */

/** Visitors and staff; merchants have no schedule. */
export const scheduleRoles = ['user', 'moderator', 'admin'] as const

/** The part of an entry that a shared schedule shows: neither note nor reminders. */
export const sharedPart = <Priority, Event>({ priority, event }: { priority: Priority; event: Event }) => ({
  priority,
  event,
})
