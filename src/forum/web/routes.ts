/** Address to screen. */
export const screens = {
  forum: 'ForumScreen.tsx',
  'forum/new': 'NewTopicScreen.tsx',
  'forum/search': 'ForumSearchScreen.tsx',
  'forum/members/:handle': 'MemberScreen.tsx',
  'forum/:category': 'ForumScreen.tsx',
  'topic/:topic_id': 'TopicScreen.tsx',
}
