let isGuarded = false;

/**
 * Keeps React working on a page that the browser translates. Translators put `<font>` in place of text nodes, which React then looks
 * for: it throws where it removes or inserts beside one, and changes the text of one that nobody sees. Once a page.
 * @param earlier what was seen of a translation before the guard was loaded
 * @returns how to stop, for tests
 */
export function guardTranslatedPage(root: Node, earlier: MutationRecord[] = []): () => void {
  if (isGuarded) return () => {};
  isGuarded = true;
  /** What stands where a text node was. */
  const replacedBy = new WeakMap<Node, ChildNode>();

  /** Returns what represents a node among a parent's children; null if nothing does. */
  const placeOf = (node: Node, parent: Node): Node | null => {
    const replacement = replacedBy.get(node);
    let place: Node | null = replacement?.isConnected ? replacement : node;
    while (place && place.parentNode !== parent) {
      place = place.parentNode;
      if (place?.nodeName !== 'FONT') return null;
    }
    return place;
  };

  // The text has changed: show it again, and let the translator translate it again.
  const changes = new MutationObserver((records) => {
    for (const { target } of records) {
      const replacement = replacedBy.get(target);
      if (!replacement?.isConnected) continue;
      replacedBy.delete(target);
      replacement.replaceWith(target);
    }
  });
  const note = (records: MutationRecord[]) => {
    for (const { addedNodes, removedNodes } of records) {
      const [font] = addedNodes;
      const [text] = removedNodes;
      if (font?.nodeName !== 'FONT' || !(text instanceof Text) || text.isConnected) continue;
      replacedBy.set(text, font as ChildNode);
      changes.observe(text, { characterData: true });
    }
  };
  note(earlier);
  const replacements = new MutationObserver(note);
  replacements.observe(root, { childList: true, subtree: true });

  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    const place = child.parentNode === this ? child : placeOf(child, this);
    removeChild.call(this, place ?? child);
    return child;
  };
  Node.prototype.insertBefore = function <T extends Node>(
    this: Node,
    node: T,
    before: Node | null,
  ): T {
    const place = !before || before.parentNode === this ? before : placeOf(before, this);
    insertBefore.call(this, node, before && (place ?? before));
    return node;
  };
  return () => {
    isGuarded = false;
    replacements.disconnect();
    changes.disconnect();
    Object.assign(Node.prototype, { removeChild, insertBefore });
  };
}
