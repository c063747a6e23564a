import type { Map as MapView } from 'maplibre-gl';
import { COURIER_COLOURS, COURIER_SHAPES, DELIVERY_COLOURS, DELIVERY_SHAPES } from './shapes.ts';

type Colour = (token: string) => string;
type Drawing = (canvas: CanvasRenderingContext2D, size: number) => void;

const PIXEL_RATIO = 2;
const COURIER_PX = 22;
const PIN_PX = 30;

/** Draws every symbol of the map in the current colours and replaces the old ones. */
export function paintImages(view: MapView, colour: Colour): void {
  for (const [state, path] of Object.entries(COURIER_SHAPES)) {
    const fill = colour(COURIER_COLOURS[state as keyof typeof COURIER_COLOURS]);
    put(view, `courier-${state}`, COURIER_PX, drawCourier(path, fill, colour('--map-halo')));
  }
  for (const [state, path] of Object.entries(DELIVERY_SHAPES)) {
    const fill = colour(DELIVERY_COLOURS[state as keyof typeof DELIVERY_COLOURS]);
    put(view, `delivery-${state}`, PIN_PX, drawPin(path, fill, colour('--map-halo')));
    put(view, `alarm-${state}`, PIN_PX, drawPin(path, colour('--red'), colour('--map-halo')));
  }
}

function put(view: MapView, name: string, sizePx: number, draw: Drawing): void {
  const canvas = document.createElement('canvas');
  canvas.width = sizePx * PIXEL_RATIO;
  canvas.height = sizePx * PIXEL_RATIO;
  const context = canvas.getContext('2d');
  if (context === null) return;
  draw(context, canvas.width);
  const image = context.getImageData(0, 0, canvas.width, canvas.height);
  if (view.hasImage(name)) view.updateImage(name, image);
  else view.addImage(name, image, { pixelRatio: PIXEL_RATIO });
}

function drawCourier(path: string, fill: string, halo: string): Drawing {
  return (context, size) => {
    const shape = new Path2D(path);
    context.setTransform(size / 16, 0, 0, size / 16, size / 8, size / 8);
    context.lineJoin = 'round';
    context.lineWidth = 2.4;
    context.strokeStyle = halo;
    context.stroke(shape);
    context.fillStyle = fill;
    context.fill(shape, 'evenodd');
  };
}

/** A pin that points to the place, with the shape of the state in its head. */
function drawPin(path: string, fill: string, halo: string): Drawing {
  return (context, size) => {
    context.setTransform(size / 30, 0, 0, size / 30, 0, 0);
    const pin = new Path2D('M15 29C9 21.5 4 17.5 4 11.500a11 11 0 0 1 22 0C26 17.5 21 21.5 15 29z');
    context.lineWidth = 2;
    context.strokeStyle = halo;
    context.stroke(pin);
    context.fillStyle = fill;
    context.fill(pin);
    context.translate(9, 5.5);
    context.fillStyle = halo;
    context.fill(new Path2D(path), 'evenodd');
  };
}
