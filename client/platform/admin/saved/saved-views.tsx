import { useSearchParams } from 'react-router-dom';
import { Button } from '../../ui/buttons/button.tsx';
import { SaveAs } from './save-as.tsx';
import { useSaved } from './use-saved.ts';

/** Which list an address shows. */
const LIST_PARAMETERS = ['tab', 'view', 'part', 'kind'];
/** What isn't part of a view: the page, an open dialog, and searches, because they name people, who may delete their account. */
const PASSING = ['cursor', 'open', 'id', 'search'];

const listOf = (address: URLSearchParams): string =>
  LIST_PARAMETERS.map((name) => address.get(name) ?? '').join(' ');

/** The filters and order of a list as an address, always in the same order. */
function viewOf(address: URLSearchParams): string {
  const view = new URLSearchParams(address);
  for (const name of PASSING) view.delete(name);
  view.sort();
  return view.toString();
}

/** The admin's saved views of the list in the address, to open, save and delete. @param isChosen whether filters or an order are chosen */
export function SavedViews({ isChosen }: { isChosen: boolean }) {
  const [address, setAddress] = useSearchParams();
  const { saved, store, remove } = useSaved('view');
  const views = saved.filter(({ text }) => listOf(new URLSearchParams(text)) === listOf(address));
  const current = views.find(({ text }) => text === viewOf(address));
  if (views.length === 0 && !isChosen) return null;
  return (
    <div role="group" aria-label="Saved views" className="flex flex-wrap items-center gap-x-1">
      {views.map((view) => (
        <Button
          key={view.id}
          look="quiet"
          className="min-h-11! px-2!"
          aria-pressed={view === current}
          onClick={() => setAddress(new URLSearchParams(view.text))}
        >
          {view.name}
        </Button>
      ))}
      {current ? (
        <Button
          look="quiet"
          className="min-h-11! px-2! font-normal!"
          onClick={() => void remove(current)}
        >
          Delete this view
        </Button>
      ) : (
        isChosen && (
          <SaveAs
            label="Save this view"
            hint="You’ll find it above this list, on every device."
            store={(name) => store(name, viewOf(address))}
          />
        )
      )}
    </div>
  );
}
