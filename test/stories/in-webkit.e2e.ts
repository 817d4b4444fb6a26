import { standingStories } from '../engines/stories.ts'

standingStories('webkit', 'evening')
