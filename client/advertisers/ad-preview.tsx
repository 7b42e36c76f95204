import { AD_FRAME, AdFace } from '../ads/ad-content.tsx';
import { SLOT_HEIGHTS } from '../ads/slot-props.ts';
import { useObjectUrl } from '../ui/use-object-url.ts';
import type { Draft } from './signup/draft.ts';

/** A preview of a timed ad in its slot, as wide as on a small phone. */
export function AdPreview({
  timed: { title, description, placement },
  image,
}: {
  timed: Draft['timed'];
  image: Blob | null;
}) {
  const image_url = useObjectUrl(image);
  return (
    <figure className="flex flex-col gap-1.5">
      <figcaption>
        <span className="font-bold">Preview</span>{' '}
        <span className="text-soft">(on a small phone)</span>
      </figcaption>
      <div className={`w-full max-w-82 ${SLOT_HEIGHTS[placement]}`}>
        <div className={AD_FRAME}>
          <AdFace
            title={title.trim() || 'Title'}
            description={description.trim() || 'Description'}
            image_url={image_url}
            placement={placement}
          />
        </div>
      </div>
    </figure>
  );
}
