import { getAdminPicture } from '#shared/moderation/people-contract.ts';
import { pathOf } from '../../../platform/http/api-client.ts';
import { DogPicture } from '../../card/dog-picture.tsx';

/** A picture shown to moderators, regardless of its owner's privacy. */
export function AdminPicture({ id, className }: { id: string | null; className: string }) {
  return (
    <DogPicture
      imageKey={null}
      {...(id !== null && { url: pathOf(getAdminPicture, { id }) })}
      className={className}
    />
  );
}
