import { createElement, Component, type FunctionComponent } from 'preact';

/** A component that renders again only if one of its properties has changed. */
export function memo<P extends object>(inner: FunctionComponent<P>): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return (Object.keys(next) as (keyof P)[]).some((key) => next[key] !== this.props[key as keyof typeof this.props]);
    }

    override render() {
      return createElement(inner, this.props);
    }
  }
  return (props) => createElement(Memo, props);
}
