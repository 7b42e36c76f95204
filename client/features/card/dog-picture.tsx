import { DogAvatar } from '../../platform/illustrations/dog-avatar.tsx';
import type { DogCoat, DogSize } from '../../platform/illustrations/dog-looks.ts';
import { Picture } from './picture.tsx';

/** A dog's picture, or a drawn dog of its size and coat if there is none. */
export function DogPicture({
  imageKey,
  dog,
  url,
  className,
}: {
  imageKey: string | null;
  /** How to draw the dog without a picture. Unknown features follow from its name, which everyone sees. */
  dog?: { name: string; size?: DogSize | null; coat?: DogCoat | null } | undefined;
  url?: string | undefined;
  className: string;
}) {
  return (
    <Picture
      imageKey={imageKey}
      url={url}
      className={`rounded-control bg-sunken text-soft ${className}`}
    >
      <DogAvatar seed={dog?.name ?? ''} size={dog?.size} coat={dog?.coat} className="size-full" />
    </Picture>
  );
}
