/** Where the page fetches them. */
export const SEGMENTS_PATH = '/segments.json';

/** Saved documents, in Base64. The oldest one has a word that no other one has. */
export interface Segments {
  usual: string[];
  oldest: string;
}
