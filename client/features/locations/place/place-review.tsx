import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { feetOf } from '#shared/distance.ts';
import {
  getAdminLocation,
  type AdminTip,
  type LocationReport,
} from '#shared/locations/admin-contract.ts';
import { call } from '../../../platform/http/api.ts';
import { messageOf } from '../../../platform/http/error-message.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { IconButton } from '../../../platform/ui/buttons/icon-button.tsx';
import { ConfirmDialog } from '../../../platform/ui/dialogs/confirm-dialog.tsx';
import { ErrorBanner } from '../../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../../platform/ui/feedback/skeleton.tsx';
import { Time } from '../../../platform/ui/layout/time.tsx';
import { OsmAttribution } from '../../geocoder/osm-attribution.tsx';
import { useUnits } from '../../settings/use-units.ts';
import { TIP_KINDS } from '../place-types.ts';
import { useModeration } from '../use-moderation.ts';
import { REPORT_WORDS } from './report-reasons.ts';
import { TipEditForm } from './tip-edit-form.tsx';

const REASONS: Record<string, string> = { ...REPORT_WORDS.location };

/** Reports about a place and its tips, with the admin actions. */
export function PlaceReview({
  id,
  onEdit,
  onDone,
}: {
  id: string;
  onEdit: () => void;
  onDone: () => void;
}) {
  const units = useUnits();
  const { show, showTip, dismiss, merge } = useModeration();
  const [into, setInto] = useState<{ id: string; name: string } | null>(null);
  const asked = useQuery({
    queryKey: ['admin', 'locations', 'one', id],
    queryFn: () => call(getAdminLocation, { params: { id } }),
    staleTime: 0,
  });
  const { data, error } = asked;
  if (error && !data) return <ErrorBanner>{messageOf(error)}</ErrorBanner>;
  if (!data) return <Skeleton label="Loading place…" lines={4} asked={asked} />;
  const { location: place, tips, reports, near } = data;
  const heading = 'mb-1.5 font-bold';
  return (
    <div className="flex flex-col gap-5">
      <div>
        <h3 className="text-lg font-bold break-words">{place.name}</h3>
        {place.description && <p className="break-words">{place.description}</p>}
        <p className="text-sm text-soft">
          {place.address && <span>{`${place.address} · `}</span>}
          <span>
            {place.latitude.toFixed(5)}, {place.longitude.toFixed(5)}
          </span>
        </p>
        {place.osm_id !== null && <OsmAttribution id={place.osm_id} />}
      </div>
      <section aria-label="Reports on this place">
        <h4 className={heading}>Reports</h4>
        <Reports reports={reports.filter(({ tip_id }) => tip_id === null)} />
      </section>
      {tips.length > 0 && (
        <section aria-label="Tips for this place">
          <h4 className={heading}>Tips</h4>
          <ul className="divide-y divide-line">
            {tips.map((tip) => (
              <Tip
                key={tip.id}
                placeId={id}
                tip={tip}
                reports={reports.filter(({ tip_id }) => tip_id === tip.id)}
                onShow={(is_active) => showTip({ tip, is_active })}
              />
            ))}
          </ul>
        </section>
      )}
      {near.length > 0 && place.merged_into === null && (
        <section aria-label="Nearby places">
          <h4 className={heading}>Is it a duplicate of a nearby place?</h4>
          <ul className="flex flex-col gap-2">
            {near.map((other) => (
              <li key={other.id} className="flex flex-wrap items-center justify-between gap-2">
                <span className="min-w-0 break-words">
                  {other.name}{' '}
                  <span className="text-sm text-soft">{units.near(feetOf(other.meters))} away</span>
                </span>
                <Button
                  look="secondary"
                  className="min-h-11!"
                  aria-label={`Merge into ${other.name}`}
                  onClick={() => setInto(other)}
                >
                  Merge into this place
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="actions max-sm:flex-col">
        {place.merged_into === null && (
          <Button wide onClick={() => show({ place, is_active: !place.is_active })}>
            {place.is_active ? 'Hide place' : 'Show place again'}
          </Button>
        )}
        {place.merged_into === null && (
          <Button look="secondary" wide onClick={onEdit} Icon={Pencil}>
            Edit place
          </Button>
        )}
        {place.open_reports > 0 && (
          <Button look="secondary" wide onClick={() => dismiss(place)}>
            Dismiss all reports
          </Button>
        )}
      </div>
      <ConfirmDialog
        isHarmless
        open={into !== null}
        title={`Merge ${place.name} into ${into?.name ?? ''}?`}
        description="Its tips and visits move there, and the two places become one. This can’t be undone."
        yes="Merge"
        onYes={() => {
          if (into) merge({ from: place, into });
          onDone();
        }}
        onClose={() => setInto(null)}
      />
    </div>
  );
}

function Reports({ reports }: { reports: readonly LocationReport[] }) {
  if (reports.length === 0) return <p className="text-soft">No reports.</p>;
  return (
    <ul className="flex flex-col gap-2">
      {reports.map((report) => (
        <li key={report.id} className="rounded-control bg-sunken p-3">
          <p className="font-bold">{REASONS[report.report_type]}</p>
          {report.description && <p className="break-words">“{report.description}”</p>}
          <p className="text-sm text-soft">
            <Time at={report.created_at} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function Tip({
  placeId,
  tip,
  reports,
  onShow,
}: {
  placeId: string;
  tip: AdminTip;
  reports: readonly LocationReport[];
  onShow: (isShown: boolean) => void;
}) {
  const [isEditing, setEditing] = useState(false);
  if (isEditing)
    return (
      <li className="py-3 first:pt-0 last:pb-0">
        <TipEditForm placeId={placeId} tip={tip} onDone={() => setEditing(false)} />
      </li>
    );
  return (
    <li className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-40">
          <p className="font-bold break-words">{tip.title}</p>
          <p className="text-sm text-soft">
            <span>{TIP_KINDS[tip.tip_type].name}</span>
            {!tip.is_active && <span>{' · hidden'}</span>}
          </p>
        </div>
        <IconButton Icon={Pencil} label={`Edit ${tip.title}`} onClick={() => setEditing(true)} />
        <Button
          look="secondary"
          className="min-h-11!"
          aria-label={tip.is_active ? `Hide ${tip.title}` : `Show ${tip.title} again`}
          onClick={() => onShow(!tip.is_active)}
        >
          {tip.is_active ? 'Hide' : 'Show again'}
        </Button>
      </div>
      <p className="break-words whitespace-pre-line">{tip.content}</p>
      {reports.length > 0 && <Reports reports={reports} />}
    </li>
  );
}
