import { z } from 'zod';

/** Content other than messages that the word rules apply to. */
export const contentType = z.enum([
  'display_name',
  'dog_name',
  'about',
  'sound_name',
  'location',
  'location_tip',
  'charity',
  'advertisement',
  'picture',
  'friend_request',
  'hazard',
  'planned_walk',
]);
export type ContentType = z.infer<typeof contentType>;

const refused = (content: string) =>
  `This ${content} contains content that violates our community guidelines and cannot be saved.`;

/** The error for rejected content: the specification's sentence for messages, adapted. */
export const REFUSED_TEXTS: Record<ContentType, string> = {
  display_name: refused('name'),
  dog_name: refused('name'),
  about: refused('line about you'),
  sound_name: refused('name'),
  location: refused('location'),
  location_tip: refused('tip'),
  charity: refused('charity'),
  advertisement: refused('ad'),
  picture: refused('picture'),
  friend_request: refused('friend request'),
  hazard: refused('report'),
  planned_walk: refused('walk'),
};
