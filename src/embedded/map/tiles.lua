-- Says which objects of an OpenStreetMap extract get into the tiles of the map, for tilemaker 2 and 3. The layers and their
-- kinds are those of the Protomaps schema, https://docs.protomaps.com/basemaps/layers. Our style does not draw all of them; the
-- others are for styles of other people.

-- tilemaker cannot list the tags of an object, so the languages of names are listed here.
local LANGUAGES = {
  "af", "am", "ar", "az", "be", "bg", "bn", "bs", "ca", "cs", "cy", "da", "de", "el", "en", "es", "et", "eu", "fa", "fi",
  "fr", "ga", "gl", "gsw", "ha", "he", "hi", "hr", "hu", "hy", "id", "ig", "is", "it", "ja", "ka", "kk", "km", "ko", "ku",
  "lt", "lv", "mk", "mn", "ms", "my", "nb", "ne", "nl", "nn", "no", "pl", "pt", "rm", "ro", "ru", "sk", "sl", "sq", "sr",
  "sv", "sw", "ta", "te", "th", "tl", "tr", "uk", "ur", "uz", "vi", "yo", "zh", "zu",
}

-- One row for each kind of road: the kind of the schema and the first zoom. Links count as the road that they lead to.
local ROADS = {
  motorway = { "highway", 6 }, trunk = { "major_road", 6 }, primary = { "major_road", 8 },
  secondary = { "major_road", 9 }, tertiary = { "major_road", 11 },
  unclassified = { "minor_road", 12 }, residential = { "minor_road", 12 }, living_street = { "minor_road", 12 },
  road = { "minor_road", 12 }, service = { "minor_road", 13 },
  pedestrian = { "path", 13 }, track = { "path", 13 }, cycleway = { "path", 13 }, footway = { "path", 14 },
  path = { "path", 14 }, bridleway = { "path", 14 }, steps = { "path", 14 },
}
local RAILS = { rail = 10, narrow_gauge = 11, light_rail = 12, tram = 13, subway = 13, funicular = 12 }

-- The tags of areas, and the first zoom of their kind. The first row that fits decides.
local AREAS = {
  { "leisure", { park = 10, garden = 12, pitch = 13, playground = 13, golf_course = 11, nature_reserve = 9, stadium = 12 } },
  { "landuse", {
    forest = 6, farmland = 9, meadow = 9, grass = 11, orchard = 11, vineyard = 11, allotments = 12, cemetery = 12,
    village_green = 12, recreation_ground = 12, residential = 8, commercial = 10, retail = 10, industrial = 9,
    railway = 12, military = 10, quarry = 11,
  } },
  { "natural", { wood = 6, scrub = 9, heath = 9, grassland = 9, wetland = 9, beach = 10, sand = 10, glacier = 6, bare_rock = 8, scree = 8 } },
  { "amenity", { school = 12, university = 11, college = 11, hospital = 11, kindergarten = 13, grave_yard = 13, parking = 14 } },
  { "aeroway", { aerodrome = 10, runway = 10, taxiway = 12, apron = 12 } },
  { "tourism", { zoo = 12, theme_park = 12 } },
}
local RENAMED = { village_green = "grass", grave_yard = "cemetery", retail = "commercial", heath = "scrub" }

local WATER_LINES = { river = 8, canal = 10, stream = 12, drain = 14, ditch = 14 }
local WATER_AREAS = { reservoir = "lake", basin = "basin" }

local PLACES = {
  city = 6, town = 8, village = 10, suburb = 12, quarter = 13, neighbourhood = 13, hamlet = 12, isolated_dwelling = 14,
}
local TOWNS = { city = true, town = true, village = true, hamlet = true, isolated_dwelling = true }

-- In tilemaker 3 the functions of an object are global.
local GLOBALS = setmetatable({}, {
  __index = function(_, name)
    return function(_, ...) return _G[name](...) end
  end,
})

-- Only objects with one of these tags are read as points.
node_keys = { "addr:housenumber", "place" }

function node_function(node)
  node = node or GLOBALS
  local place = node:Find("place")
  if PLACES[place] ~= nil and node:Find("name") ~= "" then write_place(node, place) end
  local number = node:Find("addr:housenumber")
  if number ~= "" then
    node:Layer("buildings", false)
    write_number(node, number)
  end
end

function way_function(way)
  way = way or GLOBALS
  local is_closed = way:IsClosed()
  local is_area = is_closed and way:Find("area") ~= "no"
  write_road(way, is_closed)
  write_rail(way)
  write_water(way, is_area)
  write_boundary(way)
  if not is_area then return end
  write_area(way)
  local building = way:Find("building")
  if building ~= "" and building ~= "no" then
    way:Layer("buildings", true)
    way:Attribute("kind", "building")
  end
  local number = way:Find("addr:housenumber")
  if number ~= "" then
    way:LayerAsCentroid("buildings")
    write_number(way, number)
  end
end

function write_place(node, place)
  node:Layer("places", false)
  node:MinZoom(PLACES[place])
  node:Attribute("kind", TOWNS[place] and "locality" or "neighbourhood")
  node:Attribute("kind_detail", place)
  node:AttributeNumeric("population", tonumber(node:Find("population")) or 0)
  write_names(node)
end

function write_number(object, number)
  object:MinZoom(14)
  object:Attribute("kind", "address")
  object:Attribute("addr_housenumber", number)
end

function write_road(way, is_closed)
  local highway = way:Find("highway")
  local class = highway:gsub("_link$", "")
  local row = ROADS[class]
  if row == nil then return end
  way:Layer("roads", is_closed and way:Find("area") == "yes")
  way:MinZoom(row[2])
  way:Attribute("kind", row[1])
  way:Attribute("kind_detail", class)
  if highway ~= class then way:AttributeBoolean("is_link", true) end
  write_level(way)
  if way:Find("ref") ~= "" then way:Attribute("ref", way:Find("ref")) end
  write_names(way)
end

function write_rail(way)
  local first_zoom = RAILS[way:Find("railway")]
  if first_zoom == nil then return end
  way:Layer("roads", false)
  way:MinZoom(way:Find("service") == "" and first_zoom or 13)
  way:Attribute("kind", "rail")
  way:Attribute("kind_detail", way:Find("railway"))
  write_level(way)
end

function write_level(way)
  local bridge, tunnel = way:Find("bridge"), way:Find("tunnel")
  if bridge ~= "" and bridge ~= "no" then way:AttributeBoolean("is_bridge", true) end
  if tunnel ~= "" and tunnel ~= "no" then way:AttributeBoolean("is_tunnel", true) end
end

function write_water(way, is_area)
  local line = WATER_LINES[way:Find("waterway")]
  if line ~= nil then
    if way:Find("tunnel") == "culvert" then return end
    way:Layer("water", false)
    way:MinZoom(line)
    way:Attribute("kind", way:Find("waterway"))
    write_names(way)
    return
  end
  if not is_area then return end
  local kind = nil
  if way:Find("natural") == "water" then kind = way:Find("water") == "river" and "river" or "lake"
  elseif way:Find("waterway") == "riverbank" or way:Find("waterway") == "dock" then kind = "river"
  elseif way:Find("leisure") == "swimming_pool" then kind = "swimming_pool"
  else kind = WATER_AREAS[way:Find("landuse")] end
  if kind == nil then return end
  local is_small = kind == "swimming_pool"
  way:Layer("water", true)
  way:MinZoom(is_small and 14 or 6)
  way:Attribute("kind", kind)
  if kind ~= "lake" or way:Find("name") == "" then return end
  way:LayerAsCentroid("water")
  way:MinZoom(12)
  way:Attribute("kind", kind)
  write_names(way)
end

function write_area(way)
  for _, row in ipairs(AREAS) do
    local value = way:Find(row[1])
    local first_zoom = row[2][value]
    if first_zoom ~= nil then
      way:Layer("landuse", true)
      way:MinZoom(first_zoom)
      way:Attribute("kind", RENAMED[value] or value)
      return
    end
  end
end

function write_boundary(way)
  local level = tonumber(way:Find("admin_level"))
  if way:Find("boundary") ~= "administrative" or level == nil or level > 4 then return end
  way:Layer("boundaries", false)
  way:Attribute("kind", level == 2 and "country" or "region")
  way:AttributeNumeric("kind_detail", level)
end

-- Names in other languages are written only if they differ.
function write_names(object)
  local name = object:Find("name")
  if name ~= "" then object:Attribute("name", name) end
  for _, language in ipairs(LANGUAGES) do
    local other = object:Find("name:" .. language)
    if other ~= "" and other ~= name then object:Attribute("name:" .. language, other) end
  end
end
