import type { ReviewItem } from '#shared/advertisers/review-contract.ts';
import { AD_FRAME, AdFace } from '../../ads/ad-content.tsx';
import { SLOT_HEIGHTS } from '../../ads/slot-props.ts';
import { BusinessFace, businessFrame } from '../../locations/search/business-face.tsx';

/** The texts of an ad by label, because its preview omits or truncates some. */
const textsOf = (item: ReviewItem, version: 'before' | 'after'): [string, string | null][] => {
  if (item.kind === 'timed') {
    const content = item[version];
    return content
      ? [
          ['Title', content.title],
          ['Description', content.description],
          ['Target URL', content.target_url],
        ]
      : [];
  }
  const content = item[version];
  return content
    ? [
        ['Business name', content.business_name],
        ['Description', content.description],
        ['Address', content.address],
        ['Phone', content.phone],
        ['Website', content.website_url],
      ]
    : [];
};

/** A preview of an ad; a change is shown next to the approved version. */
export function ReviewVersions({ item }: { item: ReviewItem }) {
  if (!item.before) return <Version item={item} version="after" title="Preview" />;
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Version item={item} version="before" title="Before" />
      <Version item={item} version="after" title="After" />
    </div>
  );
}

function Version({
  item,
  version,
  title,
}: {
  item: ReviewItem;
  version: 'before' | 'after';
  title: string;
}) {
  const before = new Map(textsOf(item, 'before'));
  const isChanged = (label: string, text: string | null) =>
    version === 'after' && before.size > 0 && before.get(label) !== text;
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      <figcaption className="font-bold">{title}</figcaption>
      <Face item={item} version={version} />
      <dl className="flex flex-col gap-1 text-sm">
        {textsOf(item, version).map(([label, text]) => (
          <div key={label}>
            <dt className="inline text-soft">{label}: </dt>
            <dd className="inline break-words">
              <ReviewedText text={text} />
              {isChanged(label, text) && <strong> (changed)</strong>}
            </dd>
          </div>
        ))}
      </dl>
    </figure>
  );
}

function ReviewedText({ text }: { text: string | null }) {
  if (!text) return <>None</>;
  if (!/^https?:\/\//i.test(text)) return <>{text}</>;
  return (
    <a
      href={text}
      target="_blank"
      rel="noopener noreferrer"
      className="font-bold break-all text-accent underline underline-offset-4"
    >
      {text}
      <span className="sr-only"> opens in a new tab</span>
    </a>
  );
}

/** The ad, drawn by the same components as for members. */
function Face({ item, version }: { item: ReviewItem; version: 'before' | 'after' }) {
  if (item.kind === 'timed') {
    const content = item[version];
    const { placement } = item.ad;
    return (
      content && (
        <div className={`w-full max-w-82 ${SLOT_HEIGHTS[placement]}`}>
          <div className={AD_FRAME}>
            <AdFace {...content} placement={placement} />
          </div>
        </div>
      )
    );
  }
  const content = item[version];
  const { business_type } = item.ad;
  return (
    content && (
      <div className={`w-full max-w-82 ${businessFrame({ business_type })}`}>
        <BusinessFace business={{ ...content, business_type }} />
      </div>
    )
  );
}
