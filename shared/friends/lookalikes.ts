/** Returns what is said of a person's name that looks like another one; null if it doesn't. */
export type LookalikeOf = (userId: string, name: string) => string | null;

/**
 * Returns the check of names against those that a member knows: their friends' and their own. A name that another person has, too, counts;
 * a friend's only if it is spelled differently from another friend's.
 * @param skeletonsOf returns all that a name may look like; none if it has no letters
 */
export function createLookalikes(
  own: { user_id: string; name: string },
  friends: ReadonlyMap<string, string>,
  skeletonsOf: (name: string) => string[],
): LookalikeOf {
  const bySkeleton = new Map<string, [userId: string, name: string][]>();
  for (const friend of friends)
    for (const skeleton of skeletonsOf(friend[1]))
      bySkeleton.set(skeleton, [...(bySkeleton.get(skeleton) ?? []), friend]);
  const ownSkeletons = skeletonsOf(own.name);
  const seenBefore = new Map<string, string[]>();
  const seen = (name: string) => {
    const skeletons = seenBefore.get(name) ?? skeletonsOf(name);
    seenBefore.set(name, skeletons);
    return skeletons;
  };
  return (userId, name) => {
    if (userId === own.user_id) return null;
    const skeletons = seen(name);
    const isFriend = friends.has(userId);
    const alike = skeletons
      .flatMap((skeleton) => bySkeleton.get(skeleton) ?? [])
      .find(([id, friend]) => id !== userId && !(isFriend && friend === name));
    if (alike) return `Not your ${isFriend ? 'other ' : ''}friend ${alike[1]}`;
    return !isFriend && skeletons.some((each) => ownSkeletons.includes(each)) ? 'Not you' : null;
  };
}

/** Returns a name at the head of a text, with what is said of it: 'Alex (not your friend Alex)'. */
export const titleWithNote = (name: string, note: string | null): string =>
  note === null ? name : `${name} (${note.charAt(0).toLowerCase()}${note.slice(1)})`;

/** Returns a name in a sentence, with what is said of it: 'Alex, not your friend Alex,'. */
export const nameWithNote = (name: string, note: string | null): string =>
  note === null ? name : `${name}, ${note.charAt(0).toLowerCase()}${note.slice(1)},`;
