import type { z } from 'zod';
import type { ContentAct, getReport } from '#shared/moderation/admin-contract.ts';

type Evidence = z.output<(typeof getReport)['answer']>['evidence'];

/** Returns the possible actions on a report's content, with their labels. */
export function actsOn(evidence: Evidence): { label: string; act: ContentAct }[] {
  const { person, image_key, place_photo, friend_request, planned_walk } = evidence;
  const acts: { label: string; act: ContentAct }[] = [];
  if (friend_request?.message)
    acts.push({
      label: 'Delete the friend request’s message',
      act: { type: 'delete_request_text', request_id: friend_request.id },
    });
  if (planned_walk)
    acts.push({
      label: 'Remove the planned walk',
      act: { type: 'remove_planned_walk', planned_walk_id: planned_walk.id },
    });
  if (place_photo)
    acts.push({
      label: 'Remove the photo of the place',
      act: { type: 'remove_picture', image_key: place_photo.image_key },
    });
  // A report about a picture doesn't act on the rest of the profile.
  const dogs = (person?.dogs ?? []).filter((dog) => !image_key || dog.image_key === image_key);
  for (const dog of dogs)
    if (dog.image_key)
      acts.push({
        label: `Remove the photo of ${dog.name}`,
        act: { type: 'remove_picture', image_key: dog.image_key },
      });
  if (person)
    acts.push({
      label: `Hide the name “${person.display_name}” until it’s changed`,
      act: { type: 'hide_name', name: person.display_name },
    });
  for (const { name } of dogs)
    acts.push({
      label: `Hide the dog’s name “${name}” until it’s changed`,
      act: { type: 'hide_name', name },
    });
  return acts;
}
