"""The app of a courier in Python, without a screen: it goes online, accepts an offer and carries the delivery.

Start the server with `npm start`. Install the client once with `python3 -m venv .data/python` and
`.data/python/bin/pip install "python-socketio[client]==5.18.1"`, then run
`.data/python/bin/python examples/courier_app.py`.
Create a delivery without `test_specifications` in another terminal; its tracking page shows the PIN.
"""

import json
import math
import os
import queue
import threading
import time

import requests
import socketio

with open(os.environ.get("DEMO_FILE", ".data/demo.json"), encoding="utf-8") as file:
    demo = json.load(file)
base = os.environ.get("BASE_URL", demo["base_url"])
me = demo["couriers"][0]

# The states of a delivery that a courier carries.
CARRIED = ("assigned", "picked_up", "in_transit")
here = dict(demo["center"])
# The newest event of each delivery. After a lost connection the server sends the later ones.
last_seq = {}
# A phone keeps its count over restarts. The time serves here, because it rises too.
seq = int(time.time() * 1000)
tasks = queue.Queue()
begun = set()
socket = socketio.Client(reconnection_delay=0.2, reconnection_delay_max=2)


def say(*words):
    """Prints a line. It is one write, because `print` writes each word alone, and threads would mix their lines."""
    print(f"{' '.join(map(str, words))}\n", end="", flush=True)


class Refused(Exception):
    """The server has refused a message or a request. `args[0]` is the code of the problem."""


def ask(method, path, body=None, headers=None):
    """Sends a request until it is answered."""
    while True:
        try:
            answer = requests.request(method, f"{base}{path}", json=body, headers=headers, timeout=10)
        except requests.RequestException:
            time.sleep(0.5)
            continue
        if answer.ok:
            return answer.json()
        if not answer.json()["retryable"]:
            raise Refused(answer.json()["code"])
        time.sleep(1)


class Session:
    """The login of the courier. An access token lives 15 minutes, and a refresh token works once."""

    def __init__(self, phone):
        self.lock = threading.Lock()
        self.renew({"grant_type": "otp", "phone": phone, "code": "000000"})

    def renew(self, grant):
        """Exchanges a code or a refresh token for tokens."""
        self.tokens = ask("POST", "/auth/token", grant)
        self.renew_at = time.monotonic() + self.tokens["expires_in"] / 2

    def token(self):
        """Returns an access token that is valid for some minutes."""
        with self.lock:
            if time.monotonic() > self.renew_at:
                self.renew({"grant_type": "refresh_token", "refresh_token": self.tokens["refresh_token"]})
            return self.tokens["access_token"]

    def headers(self):
        """Returns the headers of a request of the courier."""
        return {"Authorization": f"Bearer {self.token()}"}


session = Session(me["phone"])


def act(message, body):
    """Sends a message until it is answered. A repeat of one that has succeeded changes nothing."""
    while True:
        try:
            answer = socket.call(message, body, namespace="/courier", timeout=5)
        except (socketio.exceptions.SocketIOError, OSError):
            time.sleep(0.2)
            continue
        if answer["ok"]:
            say("done", message)
            return
        problem = answer["problem"]
        if not problem["retryable"] and problem["code"] not in ("too_far_from_stop", "courier_position_unknown"):
            raise Refused(problem["code"])
        time.sleep(1)


def report():
    """Reports the position each second, and renews the token of the connection."""
    global seq
    sent = session.token()
    while True:
        seq += 1
        fix = [seq, int(time.time() * 1000), here["lat"], here["lng"], 8, None, None]
        try:
            if session.token() != sent:
                socket.call("auth", {"token": session.token()}, namespace="/courier", timeout=5)
                sent = session.token()
            socket.call("ping", {"fixes": [fix]}, namespace="/courier", timeout=5)
        except (socketio.exceptions.SocketIOError, OSError):
            # The next report makes up for it.
            pass
        time.sleep(1)


def drive_to(place):
    """Moves by at most 150 m each second."""
    # 0.68 is the cosine of the latitude of Vaduz.
    metres = math.hypot(place["lat"] - here["lat"], (place["lng"] - here["lng"]) * 0.68) * 111_000
    for left in range(math.ceil(metres / 150), 0, -1):
        for axis in ("lat", "lng"):
            here[axis] += (place[axis] - here[axis]) / left
        time.sleep(1)


def hand_over(delivery_id, drop_off):
    """Reports a drop-off as served, with its PIN if it needs one."""
    needs_pin = (drop_off["verification"] or {}).get("pin", {}).get("enabled", False)
    while True:
        proof = {"proof": {"pin": input("PIN: ")}} if needs_pin else {}
        try:
            return act("delivery.deliver", {"delivery_id": delivery_id, "stop": drop_off["stop"], **proof})
        except Refused as refusal:
            # Text that is no PIN is refused as `invalid_params`.
            if not needs_pin or refusal.args[0] not in ("pin_incorrect", "invalid_params"):
                raise
            say("The PIN is wrong.")


def carry(delivery_id):
    """Carries a delivery to all drop-offs, from the step that it has reached."""
    delivery = ask("GET", f"/deliveries/{delivery_id}", headers=session.headers())
    if delivery["status"] == "assigned":
        drive_to(delivery["pickup"]["coordinates"])
        act("stop.arrive", {"delivery_id": delivery_id, "stop": 0})
        act("delivery.pick_up", {"delivery_id": delivery_id})
    if delivery["status"] in ("assigned", "picked_up"):
        act("delivery.depart", {"delivery_id": delivery_id})
    for drop_off in sorted(delivery["drop_off"], key=lambda each: each["visit"]):
        if drop_off["ended_at"] is not None:
            continue
        drive_to(drop_off["coordinates"])
        act("stop.arrive", {"delivery_id": delivery_id, "stop": drop_off["stop"]})
        hand_over(delivery_id, drop_off)
    say("delivered", delivery_id)


@socket.on("offer.new", namespace="/courier")
def on_offer(offer):
    """Takes an offer. The answer tells the server that the phone has it."""
    tasks.put((offer["offer_id"], offer["delivery_id"]))
    return {"ok": True}


@socket.on("snapshot", namespace="/courier")
def on_snapshot(snapshot):
    """Learns what the courier carries, on each connection."""
    last_seq[snapshot["delivery_id"]] = snapshot["sequence"]
    if snapshot["delivery"]["status"] in CARRIED:
        tasks.put((None, snapshot["delivery_id"]))


@socket.on("*", namespace="/courier")
def on_event(name, body):
    """Counts the events of the deliveries."""
    if isinstance(body, dict) and body.get("object") == "event":
        last_seq[body["delivery_id"]] = body["sequence"]
        say("event", body["sequence"], name)


@socket.event(namespace="/courier")
def connect():
    """Runs on each connection."""
    say("connected")


def carried():
    """Reads what the courier carries, the oldest first: the app may have ended in the middle of it."""
    path = f"/couriers/{me['id']}/deliveries?status={','.join(CARRIED)}&limit=100"
    return [delivery["id"] for delivery in reversed(ask("GET", path, headers=session.headers())["data"])]


for each in carried():
    say("resumes", each)
    tasks.put((None, each))
ask("PATCH", f"/couriers/{me['id']}/status", {"status": "online"}, session.headers())
socket.connect(
    base,
    namespaces=["/courier"],
    transports=["websocket"],
    auth=lambda: {"token": session.token(), "last_seq": last_seq},
)
threading.Thread(target=report, daemon=True).start()
while True:
    offer_id, delivery = tasks.get()
    # An offer or a snapshot may come again.
    if delivery in begun:
        continue
    try:
        if offer_id is not None:
            act("offer.accept", {"offer_id": offer_id})
        begun.add(delivery)
        carry(delivery)
    except Refused as refusal:
        say("refused", refusal)
