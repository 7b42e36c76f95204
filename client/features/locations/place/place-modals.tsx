import type { Place } from '#shared/place.ts';
import { lazyComponent } from '../../../platform/lazy/lazy-component.tsx';
import { Modal } from '../../../platform/ui/dialogs/modal.tsx';
import { Skeleton } from '../../../platform/ui/feedback/skeleton.tsx';
import { HazardModal } from '../../hazards/hazard-modal.tsx';
import { OPENED, type Address } from '../search/use-location-params.ts';
import { usePlace } from '../search/use-places.ts';
import type { ShownPlaces } from '../search/use-shown-places.ts';
import { LocationForm } from './location-form.tsx';
import { ReportForm } from './report-form.tsx';
import { TipForm } from './tip-form.tsx';

const MyVisits = lazyComponent(
  () => import('../visits/my-visits.tsx'),
  () => <Skeleton label="Loading your visits…" lines={4} />,
);

/** The dialogs of the places screen; the address opens them, so that the back button closes them. */
export function PlaceModals({
  address: { opened, aboutId, placeQuery, tipId, close, showPlace },
  shown: { places },
  onHere,
}: {
  address: Address;
  shown: ShownPlaces;
  onHere: (here: Place) => void;
}) {
  const { place } = usePlace(opened ? aboutId : null);
  const chosen = places.find(({ id }) => id === aboutId) ?? null;
  const tip = (place ?? chosen)?.tips.find(({ id }) => id === tipId) ?? null;
  const name = chosen?.name ?? '';
  return (
    <>
      <Modal open={opened === OPENED.add} onClose={close} title="Add Location">
        <LocationForm edited={null} view={placeQuery.from} onHere={onHere} onDone={close} />
      </Modal>
      <Modal
        open={opened === OPENED.edit && chosen !== null}
        onClose={close}
        title={`${chosen?.osm_id ? 'Correct' : 'Edit'} ${name}`}
      >
        <LocationForm edited={chosen} onHere={onHere} onDone={close} />
      </Modal>
      <Modal
        open={opened === OPENED.addTip && chosen !== null}
        onClose={close}
        title="Add Tip"
        description={`About ${name}`}
      >
        <TipForm placeId={aboutId ?? ''} edited={null} onDone={close} />
      </Modal>
      <Modal open={opened === OPENED.editTip && tip !== null} onClose={close} title="Edit Tip">
        <TipForm placeId={aboutId ?? ''} edited={tip} onDone={close} />
      </Modal>
      <Modal
        open={opened === OPENED.report && chosen !== null}
        onClose={close}
        title={tipId ? 'Report Tip' : 'Report Location'}
        description={tipId ? tip?.title : name}
      >
        <ReportForm
          subject={{ location_id: aboutId ?? '', tip_id: tipId ?? undefined }}
          onDone={close}
        />
      </Modal>
      <Modal open={opened === OPENED.visits} onClose={close} title="My Visits">
        <MyVisits onOpen={showPlace} />
      </Modal>
      <HazardModal isOpen={opened === OPENED.reportHazard} onClose={close} />
    </>
  );
}
