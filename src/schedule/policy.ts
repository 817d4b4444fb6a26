/** Who has a schedule, and what others see of it. */

/** Visitors and staff; merchants have no schedule. */
export const scheduleRoles = ['user', 'moderator', 'admin'] as const

/** What everybody sees who has the link of a shared schedule: neither notes nor reminders. */
export const sharedPart = <Priority, Event>({ priority, event }: { priority: Priority; event: Event }) => ({
  priority,
  event,
})
