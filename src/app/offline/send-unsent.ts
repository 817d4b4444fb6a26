/**
 * Sends the unsent intents of who is logged in, as far as the server can be reached. Each kind of intents sends its own at every tap
 * and when the network returns. Three places send all kinds:
 * - `fill-caches.ts`, once a page and silently, for what an earlier page has left;
 * - `OfflineLine`, again and again while the page shows that some are left;
 * - `LogoutScreen`, because the rest is lost with the logout.
 */
export async function sendUnsent(): Promise<void> {
  const { sendAllKinds } = await import('../screens/intents.ts')
  await sendAllKinds()
}
