// SPDX-License-Identifier: Apache-2.0

/// The phrases, by key. Every table has a text for each; its `{…}` arguments are the same in all
/// languages.
package enum Phrase: String, CaseIterable, Sendable {
  // What to do
  case straight, slightLeft, left, sharpLeft, slightRight, right, sharpRight, uTurn, arrive
  case head, headOn, headClimbing
  case turnOnto, keepOnto, turnToStay, turnClimbing, turnCrossing
  case upSteps, downSteps, upLadder, downLadder, upRungs, downRungs, climbNamed
  case goUpSteps, goDownSteps, goUpLadder, goDownLadder, goUpRungs, goDownRungs
  case takeSteps, takeLadder, takeRungs, takeFerry, takeNamedFerry
  case crossFord, crossSteppingStones
  case crossSquare, crossOpenArea, crossPlatform, crossNamed, crossTo
  case continueOn, continueOnto
  case roundabout, roundaboutExit
  case then, turnBack, ahead, arriveAway
  case warned, notice, caution, danger, mixedData

  // Alarms
  case approaching, offRoute, offRouteAway, offRouteLying, backOnRoute, wayBack, rightWay, arrived
  case positionLost, positionFound, positionFoundAgain, positionFoundAfter
  case positionLostBecause, positionLostAgo

  case walkedBackwards, walkedForwards
  case newRoute, newRouteNear, newRouteTowards, newRouteBack, noNewRoute
  case columnTime, columnAt, columnOff, columnSaid, columnFelt

  // Totals
  case upAndDown, climbUnknown, withoutClimb, mostNeed, rangeTo
  case openAtNoon, openOnArrival
  case warningInPlaces, warningAt, warningFromTo, perhapsClosed

  case climbPartly, withoutUnknownClimb, hardest, unreadableGrade, stretch
  case stretches, against, startOff, viaOff
  case destinationOff, startCutOff, viaCutOff, destinationCutOff
  case startLastResort, viaLastResort, destinationLastResort, aFerry, aTunnel, aBridge
  case arrivalAt, unnamed, columnElevation, columnAlong
  case columnKind, columnLength, columnUp, columnDown
  case routeOf, best, shorter, longer, faster, slower

  // Places
  case at, on, onRoute, near, nearSettlement, partHere
  case or, noPlaceNear, noPlaceCalled, placeCalledLike, quoted
  case routeNumber

  // Errors
  case noWayNear, nearestReached, viaNotReached, noWayBack, noCosts
  case hasCosts, didYouMean, latitudeFirst, inBetween, andMore
  case because, atNode, barrierOf, wayNumber, someWay
  case closedTo, otherWayOnly, walkers, cyclists, noSuchRoute
  case positionAge, straightLine, reachablePlace, widerRadius, profileHasRoute
  case noteAgainst

  // A walk in sum
  case oneFix, manyFixes, walkArrived, walkRemains, oneTurnTold
  case manyTurnsTold, announcedBefore, announcedAhead, neverOff, wasOffOnce
  case wasOffOften, oneNewRoute, manyNewRoutes, onePatternFelt, manyPatternsFelt
  case notPlayed, evaluatedOne, evaluatedMany, falseAlarms, falseAlarmsBack
  case wrongTurnNoticed, wrongTurnNoticedAt, wrongTurnMissed

  // Columns along a route, and cost limits
  case columnWhat, columnName, columnDetour, columnNext, columnStage
  case columnFrom, columnTo, andMoreNames, noneWithin, longestWithout
  case fromTo, stagesOf, avoidsOne, avoidsSeveral, slopesOver
  case quickerByRoad, quicker
  case and, ruleOnTimes, rulesOnTimes, rulesUncertain, rulesUnreadable

  // Waymarked routes and round trips
  case columnRelation, columnRef, columnNetwork, columnGrade, columnOrder, columnPart
  case lengthHere, relationNumber, hasNoneOfOne, hasNoneOfMany, pieceNumber
  case gapClosed, gapFromTo, gapMissingOne, gapMissingMany, closedToProfile, closedToProfileOften
  case lengthFromTo, otherDirectionOne, otherDirectionMany, missingOfOne, missingOfMany
  case missingPartsOne, missingPartsMany, containsItself, tooManyMembers
  case oneGap, manyGaps, oneBranch, manyBranches, tripOffLength, tripRepeats

  // Daylight
  case endsAfterSunset, endsBeforeSunrise, endsInPolarNight

  // “Closed”, by gender and number
  case closedMasculine, closedFeminine, closedMasculines, closedFeminines
}

/// The word for a way in a sentence.
package enum WayWord: String, CaseIterable, Codable, Sendable {
  /// By its name.
  case name
  /// By its kind.
  case path, footpath, track, steps, ladder, rungs, cyclePath, bridleway, pedestrianStreet, street
  case serviceRoad, viaFerrata, corridor, platform, lift, pier, lockGate, road, way, ferry
  case square, openArea
  /// By both.
  case namedPlatform, namedFerry, namedViaFerrata
}
