import { ChevronDown, type LucideIcon } from 'lucide-react';
import { Tabs } from 'radix-ui';
import {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
} from 'react';

interface Tab {
  value: string;
  name: string;
  Icon: LucideIcon;
  /** Shown after the name, such as a count. */
  badge?: ReactNode;
}

/** For up to three tabs. */
const FEW = {
  list: 'flex flex-wrap sm:flex-nowrap',
  tab: 'max-w-full sm:min-h-11 sm:flex-1 sm:flex-row sm:gap-2 sm:text-base sm:whitespace-nowrap',
};

/** The first ones are used most; those that don't fit beside them unfold below, in two equal columns over the content. */
const ONE_ROW = {
  list: 'relative flex min-w-0 flex-1 flex-wrap content-start',
  tab: 'min-h-11! flex-row gap-1.5 px-2! whitespace-nowrap max-md:[&>svg]:hidden',
};

const LEAVING = ['pointerdown', 'focusin'] as const;

const topOf = (tab: Element | null | undefined) => (tab instanceof HTMLElement ? tab.offsetTop : 0);

const OPEN =
  'absolute inset-x-0 top-0 z-30 flex items-start rounded-control bg-sunken shadow-lift ring-1 ring-line-strong';

/** Below the first row. Not narrower than its name, so that it doesn't fit into the first row then. */
const BELOW = 'min-w-max grow-0! basis-[calc(50%-0.125rem)]';

/** Folds all but the first row of a list of tabs. The keyboard unfolds it; a choice by pointer, Esc, or whatever is elsewhere folds it again. */
function useFold(isOneRow: boolean) {
  const list = useRef<HTMLDivElement>(null);
  const [hasMore, setMore] = useState(false);
  const [isOpen, setOpen] = useState(false);
  /** The name of the selected tab where it is below the first row; empty where it is not. */
  const [below, setBelow] = useState('');
  const [isWaiting, setWaiting] = useState(false);
  /** How many tabs are in the first row. */
  const [fitting, setFitting] = useState(Infinity);
  const wrapper = useRef<HTMLDivElement>(null);
  const fold = useCallback(() => setOpen(false), []);
  const measure = useCallback(() => {
    const bar = list.current;
    if (!bar || !isOneRow) return;
    const first = topOf(bar.firstElementChild);
    setFitting([...bar.children].filter((tab) => topOf(tab) === first).length);
    setMore(topOf(bar.lastElementChild) > first);
    const selected = bar.querySelector('[data-state=active]');
    setBelow(
      topOf(selected) > first ? (selected?.querySelector('span span')?.textContent ?? '') : '',
    );
    const badges = [...bar.querySelectorAll('[data-badge] > :not([hidden])')];
    setWaiting(
      badges.some((badge) => {
        const tab = badge.closest('[role=tab]');
        return tab !== selected && topOf(tab) > first;
      }),
    );
  }, [isOneRow]);
  // Another tab may be selected now.
  useLayoutEffect(measure);
  useLayoutEffect(() => {
    // The browser scrolls what is folded to what got the focus.
    if (!isOpen && list.current) list.current.scrollTop = 0;
  }, [isOpen]);
  const unfoldFor = ({ target }: { target: Element }) => {
    const bar = list.current;
    if (!bar || topOf(target) <= topOf(bar.firstElementChild)) return;
    if (target.matches(':focus-visible')) setOpen(true);
    else bar.scrollTop = 0;
  };
  useEffect(() => {
    const bar = list.current;
    if (!bar || !isOneRow) return;
    const observer = new ResizeObserver(measure);
    for (const each of [bar, ...bar.children]) observer.observe(each);
    return () => observer.disconnect();
  }, [isOneRow, measure]);
  useEffect(() => {
    if (!isOpen) return;
    const onLeave = ({ target }: Event) => {
      if (!(target instanceof Node) || !wrapper.current?.contains(target)) setOpen(false);
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      setOpen(false);
      // The tab that has the focus may be folded now.
      wrapper.current?.querySelector<HTMLElement>('[aria-expanded]')?.focus();
    };
    for (const leave of LEAVING) document.addEventListener(leave, onLeave);
    document.addEventListener('keydown', onKey);
    // More or fewer of them fit then.
    window.addEventListener('resize', fold);
    return () => {
      for (const leave of LEAVING) document.removeEventListener(leave, onLeave);
      document.removeEventListener('keydown', onKey);
      window.removeEventListener('resize', fold);
    };
  }, [isOpen, fold]);
  const toggle = () => setOpen(!isOpen);
  return { wrapper, list, hasMore, fitting, isOpen, below, isWaiting, toggle, fold, unfoldFor };
}

/** The bar of tabs at the top of a `Tabs.Root`. */
export function TabList({
  label,
  tabs,
  isOneRow = false,
}: {
  label: string;
  tabs: readonly Tab[];
  /** Whether a row that is too narrow for all tabs folds the others away. */
  isOneRow?: boolean;
}) {
  const looks = isOneRow ? ONE_ROW : FEW;
  const id = useId();
  const { wrapper, list, hasMore, fitting, isOpen, below, isWaiting, toggle, fold, unfoldFor } =
    useFold(isOneRow);
  const isNamed = below !== '' && !isOpen;
  return (
    <div
      ref={wrapper}
      className={`flex items-start rounded-control ${isOpen && hasMore ? 'relative h-13' : 'bg-sunken'}`}
    >
      {/* What unfolds doesn't move the content. */}
      <div className={isOpen && hasMore ? OPEN : 'contents'}>
        <Tabs.List
          ref={list}
          id={id}
          aria-label={label}
          onFocus={unfoldFor}
          className={`w-full gap-1 p-1 ${looks.list} ${hasMore && !isOpen ? 'max-h-13 overflow-hidden' : ''}`}
        >
          {tabs.map(({ value, name, Icon, badge }, i) => (
            <Tabs.Trigger
              key={value}
              value={value}
              // A key's click has no detail.
              onClick={({ detail }) => detail > 0 && fold()}
              className={`flex min-h-14 flex-auto flex-col items-center justify-center rounded-lg px-1 text-sm font-bold text-soft data-[state=active]:bg-chosen data-[state=active]:text-on-chosen -outline-offset-2 data-[state=active]:shadow-lift ${looks.tab} ${isOpen && i >= fitting ? BELOW : ''}`}
            >
              <Icon aria-hidden className="size-5 shrink-0" />
              <span className="inline-flex max-w-full items-center gap-1.5 wrap-anywhere">
                <span>{name}</span>
                {badge && (
                  <span data-badge="" className="contents">
                    {badge}
                  </span>
                )}
              </span>
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {hasMore && (
          <button
            type="button"
            aria-label={
              isNamed ? `${below}, more tabs${isWaiting ? ', with something new' : ''}` : undefined
            }
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={toggle}
            className={`my-1 mr-1 inline-flex min-h-11 shrink-0 items-center gap-0.5 rounded-lg px-2 text-sm font-bold -outline-offset-2 ${isNamed ? 'bg-chosen text-on-chosen shadow-lift' : 'text-soft'}`}
          >
            <span>{isNamed ? below : 'More'}</span>
            {/* At the arrow: it is about other tabs than the named one. */}
            <span className="relative shrink-0">
              <ChevronDown aria-hidden className={`size-4 ${isOpen ? 'rotate-180' : ''}`} />
              {isWaiting && !isOpen && (
                <span className="absolute -top-1.5 -right-1 size-2 rounded-full bg-accent">
                  <span className="sr-only">, with something new</span>
                </span>
              )}
            </span>
          </button>
        )}
      </div>
    </div>
  );
}
